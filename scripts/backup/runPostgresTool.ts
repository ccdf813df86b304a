import { spawn } from 'node:child_process'
import { toLibpqUrl } from './toLibpqUrl.ts'

/**
 * Runs a program of PostgreSQL on a database; its password is handed over where lists of processes do not show it.
 *
 * @throws Error with a sentence for the operator: the program is not there, or what it said.
 */
export function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  words: readonly string[],
  databaseUrl: string,
): Promise<void> {
  const { url, password } = toLibpqUrl(databaseUrl)
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) }
  return new Promise((done, failed) => {
    const child = spawn(program, [...words, `--dbname=${url}`, '--no-password'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-2_000)
    })
    child.once('error', (cause) =>
      failed(new Error(`${program} cannot be run: install the client programs of PostgreSQL.`, { cause })),
    )
    child.once('close', (code) => {
      if (code === 0) done()
      else failed(new Error(`${program} ended with ${code}: ${said.trim()}`))
    })
  })
}
