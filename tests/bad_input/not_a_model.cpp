// A shared library, but no model.
extern "C" int answer() {
  return 42;
}
