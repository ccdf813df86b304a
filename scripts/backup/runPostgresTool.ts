import { spawn } from 'node:child_process'
import { toLibpqUrl } from './toLibpqUrl.ts'

/**
 * Runs a PostgreSQL client program on a database. The password is passed in the environment, because process lists show
 * arguments.
 *
 * @throws Error with a message for the operator: the program is not installed, or what it printed when it failed.
 */
export function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  databaseUrl: string,
): Promise<void> {
  const { url, password } = toLibpqUrl(databaseUrl)
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) }
  return new Promise((done, failed) => {
    const child = spawn(program, [...args, `--dbname=${url}`, '--no-password'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-2_000)
    })
    child.once('error', (cause) =>
      failed(new Error(`${program} cannot be run: install the PostgreSQL client programs.`, { cause })),
    )
    child.once('close', (code) => {
      if (code === 0) done()
      else failed(new Error(`${program} exited with ${code}: ${output.trim()}`))
    })
  })
}
