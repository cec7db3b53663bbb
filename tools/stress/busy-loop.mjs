// Takes one core until its parent ends it or is gone.
process.on("disconnect", () => process.exit());
const spin = () => {
  const end = performance.now() + 50;
  while (performance.now() < end);
  setImmediate(spin);
};
spin();
