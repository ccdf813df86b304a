/**
 * Publishes a new key that signs for the registry: `npm run rotate-keys -- WHAT`, with the settings of the service, which
 * may be running.
 *
 * Exits with 0 if it is published, otherwise with 1 and an error message.
 */
import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import { SIGNING_KEYS, type SigningPurpose } from '../server/services/secrets/signingKeys.ts'
import { rotateStoredKey } from './rotate/rotateStoredKey.ts'

const WHAT = Object.keys(SIGNING_KEYS).join(' | ')
const LEAD_MINUTES = 15
/** Less would let a key sign before every process has read it. */
const LEAD_MIN_MINUTES = 2

const USAGE = `npm run rotate-keys -- ${WHAT} [--in MINUTES] [--stolen | --cancel]

Publishes a new key at /.well-known/jwks.json, which signs after ${LEAD_MINUTES} minutes. Running processes need no restart. The former key
stays published until everything it signed has expired. docs/operations.md describes every step.

  --in MINUTES   When the new key signs; at least ${LEAD_MIN_MINUTES}.
  --stolen       The former key is no longer accepted once the new one signs, so its tokens and receipts end with it.
  --cancel       Withdraws a published key that does not sign yet.`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      in: { type: 'string' },
      stolen: { type: 'boolean' },
      cancel: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) console.log(USAGE)
  else {
    const [purpose] = positionals
    if (purpose === undefined || !(purpose in SIGNING_KEYS))
      throw new Error(`Which key? ${WHAT}.\n\n${USAGE}`)
    const leadMinutes = Number(values.in ?? LEAD_MINUTES)
    if (!(leadMinutes >= LEAD_MIN_MINUTES))
      throw new Error(`--in must be a number of minutes, at least ${LEAD_MIN_MINUTES}, not ${values.in}.`)
    const options = {
      leadMs: leadMinutes * 60_000,
      isStolen: values.stolen === true,
      isCancelled: values.cancel === true,
    }
    console.log(
      await rotateStoredKey(readConfig(process.env), {
        ...options,
        purpose: purpose as SigningPurpose,
        now: Date.now(),
      }),
    )
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
