// The output and font components expect the loader's package class, which a browser needs to fetch
// further files. Here every file is in the bundle, so a class that finds nothing is enough.
MathJax._.components.package = { Package: { resolvePath: () => '' }, PackageError: Error };
var pylit = {};
