import type { SecretBoxes } from '../../external/keys/openSecretBoxes.ts'
import type { Db } from '../../store/database/database.ts'
import type { SealedValueStore, StoredValue } from '../../store/secrets/sealedValueStore.ts'
import type { SecretsKeyStore } from '../../store/secrets/secretsKeyStore.ts'
import { requireStartedKey } from './requireStartedKey.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealedValues.ts'

export type RotateSecretsDeps = {
  values: SealedValueStore
  used: Pick<SecretsKeyStore, 'list' | 'removeOthers'>
  /** Reads the ids of the keys with which running processes encrypt; null for a process of which that is not known. */
  running(run?: Parameters<SecretsKeyStore['removeOthers']>[0]): Promise<(string | null)[]>
  boxes: SecretBoxes
  transaction: Db['transaction']
}

/** What was found in one column; `unreadable` are the keys of rows whose value no key opens. */
type RotatedColumn = {
  name: string
  current: number
  reencrypted: number
  unreadable: string[]
}

export type SecretsRotation = {
  keyId: string
  columns: RotatedColumn[]
  /** Ids of other keys with which values may be encrypted, or running processes still encrypt. */
  stillUsed: string[]
  /** Whether SECRETS_KEY_FORMER may be removed: every value is under the current key, and every process uses it. */
  isDone: boolean
}

/** Values a transaction; documents have up to 8 MiB. */
const PAGE = { secrets: 100, documents: 2 } as const
/** A process with a former key encrypts more in the meantime; one that keeps on is reported. */
const PASSES_MAX = 3

/**
 * Encrypts every stored secret with the current key, in small transactions, while the service runs.
 *
 * It may be interrupted and run again at any time: a value is replaced only if it is still the one that was read, and values
 * under the current key are skipped. Once a pass finds nothing to do, and no process has encrypted with another key since it
 * began, the former keys are forgotten, and a start without them succeeds.
 *
 * @throws Error with a message for the operator if the service has not started with the current key, because it could not
 * read what this writes.
 */
export async function rotateSecrets(deps: RotateSecretsDeps): Promise<SecretsRotation> {
  const [{ id: keyId }] = deps.boxes.keys
  await requireStartedKey(deps.used, keyId)
  const columns = new Map<string, RotatedColumn>()
  const isCurrent = (id: string | null) => id === keyId
  let isQuiet = false
  for (let pass = 1; pass <= PASSES_MAX && !isQuiet; pass++) {
    // Whoever runs with another key may add a value behind this pass, and end before it does.
    isQuiet = (await deps.running()).every(isCurrent)
    for (const column of SEALED_COLUMNS) {
      const name = `${column.table}.${column.column}`
      const found = await rotateColumn(deps, column, name)
      isQuiet &&= found.reencrypted === 0 && found.unreadable.length === 0
      columns.set(name, { ...found, reencrypted: found.reencrypted + (columns.get(name)?.reencrypted ?? 0) })
    }
  }
  const running = await deps.transaction(async (trx) => {
    const ids = await deps.running(trx)
    if (isQuiet && ids.every(isCurrent)) await deps.used.removeOthers(trx, keyId)
    return ids
  })
  const ids = new Set([...(await deps.used.list()), ...running.filter((id) => id !== null)])
  ids.delete(keyId)
  const isDone = isQuiet && running.every(isCurrent) && ids.size === 0
  return { keyId, columns: [...columns.values()], stillUsed: [...ids].sort(), isDone }
}

async function rotateColumn(
  { values, boxes, transaction }: RotateSecretsDeps,
  column: SealedColumn,
  name: string,
): Promise<RotatedColumn> {
  const counts: RotatedColumn = { name, current: 0, reencrypted: 0, unreadable: [] }
  const limit = PAGE[column.box]
  let page = await values.page(column, null, limit)
  for (; page.length > 0; page = await values.page(column, page.at(-1)?.key ?? null, limit)) {
    const replacements: { from: StoredValue; to: StoredValue['value'] }[] = []
    for (const from of page) {
      const to = reencrypt(boxes, column, from)
      if (to === 'current') counts.current++
      else if (to === null) counts.unreadable.push(from.key.join(' '))
      else replacements.push({ from, to })
    }
    if (replacements.length === 0) continue
    await transaction(async (trx) => {
      for (const { from, to } of replacements)
        if (await values.replace(trx, column, from, to)) counts.reencrypted++
    })
  }
  return counts
}

/** Encrypts a value again; `current` if it is under the current key, and null if no key opens it. */
function reencrypt(
  { secrets, documents }: SecretBoxes,
  { context }: SealedColumn,
  { key, value }: StoredValue,
): StoredValue['value'] | 'current' | null {
  const bound = context(...key)
  try {
    if (typeof value === 'string')
      return secrets.isCurrent(value) ? 'current' : secrets.seal(secrets.open(value, bound), bound)
    return documents.isCurrent(value) ? 'current' : documents.seal(documents.open(value, bound), bound)
  } catch {
    return null
  }
}
