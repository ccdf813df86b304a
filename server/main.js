// Plain JavaScript, so that an old Node says what is wrong instead of crashing in a native module.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(`This service needs Node 24 and runs on ${process.version}: start it with "npm start".`)
  process.exit(1)
}
await import('./main.ts')
