import { existsSync } from 'node:fs'

const SYSTEM = '/usr/bin/python3'

/** The Python interpreter with the client's dependencies: `PYTHON`, or the system's, with packages of the distribution. */
export function pythonCommand(): string {
  return process.env.PYTHON ?? (existsSync(SYSTEM) ? SYSTEM : 'python3')
}
