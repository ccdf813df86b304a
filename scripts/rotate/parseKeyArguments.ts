import { parseArgs } from 'node:util'
import { LEAD_MINUTES, SIGNING_KEYS, type SigningPurpose } from '../../server/services/secrets/signingKeys.ts'
import type { KeyAction } from './rotateStoredKey.ts'

const WHAT = Object.keys(SIGNING_KEYS).join(' | ')
const LEAD_USUAL_MINUTES = 15

const USAGE = `npm run rotate-keys -- WHAT [--in MINUTES] [--stolen]
npm run rotate-keys -- WHAT --withdraw KID | --cancel | --list

WHAT is one of ${WHAT}.

Publishes a new key at /.well-known/jwks.json, which signs after ${LEAD_USUAL_MINUTES} minutes. Running processes need no restart. The former key
stays published until everything it signed has expired. docs/operations.md describes every step.

  --in MINUTES    When the new key signs: from ${LEAD_MINUTES.least} to ${LEAD_MINUTES.most} minutes.
  --stolen        All former keys are no longer accepted once the new one signs, so their tokens and receipts end with them.
  --withdraw KID  Ends a former key at once, for one that is known to be stolen; there is no new key.
  --cancel        Withdraws a published key that does not sign yet.
  --list          Lists the keys that are published.`

/**
 * Parses what an operator wants to be done with a key; null if they want to read how that is written.
 *
 * @throws Error with a message for the operator.
 */
export function parseKeyArguments(args: readonly string[]): {
  usage: string
  order: { purpose: SigningPurpose; action: KeyAction } | null
} {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      in: { type: 'string' },
      stolen: { type: 'boolean' },
      withdraw: { type: 'string' },
      cancel: { type: 'boolean' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return { usage: USAGE, order: null }
  const [purpose, ...more] = positionals
  if (purpose === undefined || !Object.hasOwn(SIGNING_KEYS, purpose) || more.length > 0)
    throw new Error(`Which key? ${WHAT}.\n\n${USAGE}`)
  const { help: _unused, ...options } = values
  return { usage: USAGE, order: { purpose: purpose as SigningPurpose, action: chooseAction(options) } }
}

type Options = { in?: string; stolen?: boolean; withdraw?: string; cancel?: boolean; list?: boolean }

function chooseAction(options: Options): KeyAction {
  const given = Object.keys(options)
  const exclusive = given.find((name) => ['withdraw', 'cancel', 'list'].includes(name))
  if (exclusive !== undefined && given.length > 1) {
    const others = given.filter((name) => name !== exclusive).map((name) => `--${name}`)
    throw new Error(`--${exclusive} cannot be combined with ${others.join(' and ')}.`)
  }
  if (options.list) return { kind: 'list' }
  if (options.cancel) return { kind: 'cancel' }
  if (options.withdraw !== undefined) return { kind: 'withdraw', kid: options.withdraw }
  return { kind: 'publish', leadMs: parseLead(options.in) * 60_000, isStolen: options.stolen === true }
}

function parseLead(text = String(LEAD_USUAL_MINUTES)): number {
  const { least, most } = LEAD_MINUTES
  const minutes = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (minutes >= least && minutes <= most) return minutes
  throw new Error(`--in must be a whole number of minutes from ${least} to ${most}, not ${text}.`)
}
