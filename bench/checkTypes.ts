import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { areBenchPackagesInstalled, INSTALL_COMMAND } from './installed.ts'

/** Type-checks the whole folder if the packages that it compares are installed. */
function checkTypes(): number {
  if (!areBenchPackagesInstalled) {
    console.log(
      `bench: the files that use its own packages were not type-checked; "${INSTALL_COMMAND}" installs them`,
    )
    return 0
  }
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
  const { status } = spawnSync(process.execPath, [compiler, '-p', import.meta.dirname], { stdio: 'inherit' })
  return status ?? 1
}

process.exitCode = checkTypes()
