// SPDX-License-Identifier: Apache-2.0
// A slider with a button that moves it on by itself.

import {el} from './dom.js';

const FRAME_MS = 250;

/// Calls `paint()` for each position. `shown()` tells whether the slider is on the page; when it is not, playing stops.
export class SlideShow {
  constructor({first, last, paint, shown}) {
    Object.assign(this, {first, paint, shown});
    this.slider = el('input', {type: 'range', min: 0, max: last, value: 0, 'aria-label': 'Time', oninput: () => this.go(this.at)});
    this.button = el('button', {class: 'play', onclick: () => (this.timer ? this.stop() : this.#play())}, '▶ Play');
  }

  get at() {
    return Number(this.slider.value);
  }

  /// Stops playing and shows a position.
  go(position) {
    this.stop();
    this.slider.value = position;
    this.paint();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = '▶ Play';
  }

  /// Plays on, or from `first` if the end is shown.
  #play() {
    this.button.textContent = '❚❚ Pause';
    let next = this.at >= Number(this.slider.max) ? this.first : this.at + 1;
    const step = () => {
      if (!this.shown() || next > Number(this.slider.max)) {
        this.stop();
        return;
      }
      this.slider.value = next++;
      this.paint();
    };
    this.timer = setInterval(step, FRAME_MS);
  }
}
