import { existsSync } from 'node:fs'

const SYSTEM = '/usr/bin/python3'

/** The Python that has the client's dependencies: `PYTHON`, or the system's, whose packages come from the distribution. */
export function pythonCommand(): string {
  return process.env.PYTHON ?? (existsSync(SYSTEM) ? SYSTEM : 'python3')
}
