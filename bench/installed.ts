import { existsSync } from 'node:fs'

/** Whether the packages that only the benchmarks use are installed; a user's `npm ci` leaves them out. */
export const areBenchPackagesInstalled = existsSync(
  new URL('./node_modules/.package-lock.json', import.meta.url),
)

/** The command that installs them. */
export const INSTALL_COMMAND = 'npm run bench:install'
