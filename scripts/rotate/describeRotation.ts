import type { SecretsRotation } from '../../server/services/secrets/rotateSecrets.ts'

/** How many rows are named; the rest is counted. */
const NAMED_MAX = 5

/** Describes a rotation to the operator: what was encrypted, and whether the former keys may be removed. */
export function describeRotation({ keyId, columns, stillUsed }: SecretsRotation): string {
  const lines = columns.map(
    ({ name, reencrypted, current }) =>
      `${name}: ${reencrypted} encrypted again; ${current} under the current key`,
  )
  const unreadable = columns.filter((column) => column.unreadable.length > 0)
  for (const { name, unreadable: rows } of unreadable) {
    const named = rows.slice(0, NAMED_MAX).join(', ')
    lines.push(`${name}: no key opens ${rows.length} of them, such as those of ${named}`)
  }
  return [...lines, conclude(keyId, stillUsed, unreadable.length > 0)].join('\n')
}

function conclude(keyId: string, stillUsed: readonly string[], isUnreadable: boolean): string {
  if (stillUsed.length === 0) {
    return `Every stored secret is encrypted with the key ${keyId}: SECRETS_KEY_FORMER may be removed once every process runs with this key.`
  }
  const reason = isUnreadable
    ? 'add the missing key to SECRETS_KEY_FORMER, or delete what cannot be read'
    : 'a process still encrypts with a former key; restart every process with the new settings'
  return `SECRETS_KEY_FORMER is still needed (${stillUsed.join(', ')}): ${reason}, then run this again.`
}
