/**
 * Encrypts every stored secret with the current key: `npm run rotate-secrets`, with the settings of the service, which may
 * be running.
 *
 * Exits with 0 if the former keys are no longer needed and every secret could be read, otherwise with 1 and the reason.
 */
import { parseArgs } from 'node:util'
import { describeRotation } from './rotate/describeRotation.ts'
import { rotateStoredSecrets } from './rotate/rotateStoredSecrets.ts'
import { runOperation } from './runOperation.ts'

const USAGE = `npm run rotate-secrets

Encrypts every secret in the database with SECRETS_KEY; SECRETS_KEY_FORMER holds the keys that it was encrypted with before.
Set both, restart every process, and run this. It may be interrupted and run again. docs/operations.md describes every step.`

await runOperation(async (settings) => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else {
    const rotation = await rotateStoredSecrets(settings())
    console.log(describeRotation(rotation))
    if (!rotation.isDone) process.exitCode = 1
  }
})
