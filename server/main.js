// Plain JavaScript, so that an old Node says what is wrong instead of crashing in a native module.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `This service needs Node 24 and runs on ${process.version}: start it with "npm start", which brings its own on Linux and Windows; elsewhere install Node 24.`,
  )
  process.exit(1)
}
// Files are for the user of the service only, whatever their folder; processes and threads inherit this.
process.umask(0o077)
// Compiling is a third of a start, and the next one finds it done; a folder that cannot be written is no error. In the
// environment, because the threads and processes of the service load the same modules.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
module.enableCompileCache()
await import('./main.ts')
