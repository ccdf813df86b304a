import type { SecretsRotation } from '../../server/services/secrets/rotateSecrets.ts'

/** How many rows are named; the rest is counted. */
const NAMED_MAX = 5

/** Describes a rotation to the operator: what was encrypted, and whether the former keys may be removed. */
export function describeRotation({ keyId, columns, stillUsed, isDone }: SecretsRotation): string {
  const lines = columns.map(
    ({ name, reencrypted, current }) =>
      `${name}: ${reencrypted} encrypted again; ${current} under the current key`,
  )
  const unreadable = columns.filter((column) => column.unreadable.length > 0)
  for (const { name, unreadable: rows } of unreadable) {
    const named = rows.slice(0, NAMED_MAX).join(', ')
    lines.push(`${name}: no key opens ${rows.length} of them, such as those of ${named}`)
  }
  if (isDone)
    lines.push(
      `Every stored secret is encrypted with the key ${keyId}, which every running process uses: ` +
        'SECRETS_KEY_FORMER may be removed.',
    )
  else lines.push(...explain(keyId, stillUsed, unreadable.length > 0))
  return lines.join('\n')
}

function explain(keyId: string, stillUsed: readonly string[], isUnreadable: boolean): string[] {
  const former = stillUsed.length === 0 ? '' : ` (${stillUsed.join(', ')})`
  const needed = `SECRETS_KEY_FORMER is still needed${former}`
  const restart = `restart every process with the key ${keyId}, then run this again.`
  if (isUnreadable) {
    return [
      `Not every stored secret is encrypted with the key ${keyId}: add the missing key to SECRETS_KEY_FORMER, or delete what ` +
        'cannot be read, then run this again.',
      ...(former === '' ? [] : [`${needed}.`]),
    ]
  }
  if (former === '') return [`${needed}: a process of an earlier release may encrypt with it; ${restart}`]
  return [`${needed}: a process encrypts with a former key; ${restart}`]
}
