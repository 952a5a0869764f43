#include "model/kernel/tl_memory.hpp"

#include <memory>

namespace kernbench::model::kernel {

Tl::~Tl() {
  for (Tile::Memory* const memory : memories_) {
    if (memory->handles == 0) {
      delete memory;
    } else {
      if (memory->bytes != 0) executor_.free(memory->pa, memory->bytes);
      memory->owner = nullptr;
    }
  }
}

void Tl::add_memory() {
  auto memory = std::make_unique<Tile::Memory>();
  memory->owner = this;
  memories_.push_back(memory.get());
  spare_memory_ = memory.release();
}

void Tl::free(Tile::Memory& memory) {
  if (memory.bytes != 0) executor_.free(memory.pa, memory.bytes);
  memory.next_spare = spare_memory_;
  spare_memory_ = &memory;
}

void Tile::Memory::release() {
  if (owner != nullptr) {
    owner->free(*this);
  } else {
    delete this;
  }
}

}  // namespace kernbench::model::kernel
