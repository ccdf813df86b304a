import type { LoggedOperation } from './readWriteLog.ts'

/** Parts of a write that reach a disk whole. */
const SECTOR_BYTES = 512

type File = { synced: Buffer; pending: LoggedOperation[] }

/** What a power cut does with deeds that no sync has followed. */
export type Loss = 'drop' | 'reorder' | 'tear'

/**
 * A disk that keeps for certain what was synced, and of the rest what it pleases.
 *
 * Names are taken as durable: SQLite syncs the folder when it makes a file. Each file's syncs are its own.
 *
 * @param random Between 0 and 1.
 */
export function createDisk(initial: Record<string, Buffer>, random: () => number) {
  const files = new Map<string, File>()
  for (const [name, synced] of Object.entries(initial)) files.set(name, { synced, pending: [] })

  const fileOf = (name: string): File => {
    const known = files.get(name)
    if (known) return known
    const made = { synced: Buffer.alloc(0), pending: [] }
    files.set(name, made)
    return made
  }

  return {
    /** Takes the next deed of the log. */
    take(deed: LoggedOperation): void {
      const file = fileOf(deed.file)
      if (deed.kind !== 'sync') {
        file.pending.push(deed)
        return
      }
      file.synced = apply(file.synced, file.pending)
      file.pending = []
    },
    /** The files as they may be found when the power is lost now. */
    afterPowerLoss(loss: Loss): Map<string, Buffer> {
      return new Map(
        [...files].map(([name, file]) => [name, apply(file.synced, survivors(file.pending, loss))]),
      )
    },
  }

  function survivors(pending: readonly LoggedOperation[], loss: Loss): LoggedOperation[] {
    if (loss === 'drop') return []
    const kept = pending.filter(() => random() < 0.5)
    if (loss === 'reorder')
      return kept
        .map((deed) => ({ deed, at: random() }))
        .sort(byPlace)
        .map(({ deed }) => deed)
    return kept.map((deed) => (deed.kind === 'write' ? torn(deed) : deed))
  }

  function torn(deed: LoggedOperation): LoggedOperation {
    const sectors = Math.ceil(deed.data.length / SECTOR_BYTES)
    return { ...deed, data: deed.data.subarray(0, Math.floor(random() * sectors) * SECTOR_BYTES) }
  }
}

const byPlace = (one: { at: number }, other: { at: number }) => one.at - other.at

/** A new buffer: what was kept before stays what it is. */
function apply(before: Buffer, deeds: readonly LoggedOperation[]): Buffer {
  if (deeds.length === 0) return before
  let size = before.length
  for (const deed of deeds) {
    size = Math.max(size, deed.kind === 'truncate' ? deed.offset : deed.offset + deed.data.length)
  }
  const bytes = Buffer.alloc(size)
  before.copy(bytes)
  let length = before.length
  for (const { kind, offset, data } of deeds) {
    if (kind === 'truncate') {
      if (offset < length) bytes.fill(0, offset, length)
      length = offset
    } else if (data.length > 0) {
      data.copy(bytes, offset)
      length = Math.max(length, offset + data.length)
    }
  }
  return bytes.subarray(0, length)
}
