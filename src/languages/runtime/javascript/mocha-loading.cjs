// Makes mocha load its test files one by one, so that one that cannot be loaded harms only itself: mocha alone would end
// there, before any reporter is asked.
"use strict";

function findMocha() {
  const files = Object.keys(require.cache).filter((file) => /[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/.test(file));
  return files
    .map((file) => require.cache[file].exports)
    .map((loaded) => (typeof loaded === "function" ? loaded : loaded && (loaded.default || loaded.Mocha)))
    .filter((Mocha) => typeof Mocha === "function");
}

/** `watch`: before (loading begins; of a mocha), loaded (file), failed (file, error). */
function loadOneByOne(watch) {
  for (const { prototype } of findMocha()) {
    const { loadFiles, loadFilesAsync } = prototype;
    if (loadFiles) {
      prototype.loadFiles = function loadEachFile(done) {
        const files = this.files;
        watch.before(this);
        for (const file of files) {
          this.files = [file];
          try {
            loadFiles.call(this);
          } catch (error) {
            watch.failed(file, error);
          }
          watch.loaded(file);
        }
        this.files = files;
        if (done) done();
      };
    }
    if (loadFilesAsync) {
      prototype.loadFilesAsync = async function loadEachFile(...options) {
        const files = this.files;
        watch.before(this);
        for (const file of files) {
          this.files = [file];
          try {
            await loadFilesAsync.apply(this, options);
          } catch (error) {
            watch.failed(file, error);
          }
          watch.loaded(file);
        }
        this.files = files;
      };
    }
  }
}

module.exports = { findMocha, loadOneByOne };
