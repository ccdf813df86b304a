import type { LoggedOperation } from './readWriteLog.ts'

/** The unit in which writes reach a disk whole. */
const SECTOR_BYTES = 512

type File = { synced: Buffer; pending: LoggedOperation[] }

/** What a power cut does to operations that were not synced. */
export type Loss = 'drop' | 'reorder' | 'tear'

/**
 * Simulates a disk that keeps everything that was synced, and an arbitrary part of the rest.
 *
 * File names count as durable, because SQLite syncs the folder when it creates a file. A sync covers one file.
 *
 * @param random Returns a number between 0 and 1.
 */
export function createDisk(initial: Record<string, Buffer>, random: () => number) {
  const files = new Map<string, File>()
  for (const [name, synced] of Object.entries(initial)) files.set(name, { synced, pending: [] })

  const getFile = (name: string): File => {
    const known = files.get(name)
    if (known) return known
    const created = { synced: Buffer.alloc(0), pending: [] }
    files.set(name, created)
    return created
  }

  return {
    /** Performs the next operation of the log. */
    perform(operation: LoggedOperation): void {
      const file = getFile(operation.file)
      if (operation.kind !== 'sync') {
        file.pending.push(operation)
        return
      }
      file.synced = apply(file.synced, file.pending)
      file.pending = []
    },
    /** Returns the files as they may be found after a power loss at this moment. */
    afterPowerLoss(loss: Loss): Map<string, Buffer> {
      return new Map(
        [...files].map(([name, file]) => [name, apply(file.synced, chooseSurvivors(file.pending, loss))]),
      )
    },
  }

  function chooseSurvivors(pending: readonly LoggedOperation[], loss: Loss): LoggedOperation[] {
    if (loss === 'drop') return []
    const kept = pending.filter(() => random() < 0.5)
    if (loss === 'reorder')
      return kept
        .map((operation) => ({ operation, at: random() }))
        .sort(byPosition)
        .map(({ operation }) => operation)
    return kept.map((operation) => (operation.kind === 'write' ? tear(operation) : operation))
  }

  function tear(operation: LoggedOperation): LoggedOperation {
    const sectors = Math.ceil(operation.data.length / SECTOR_BYTES)
    return { ...operation, data: operation.data.subarray(0, Math.floor(random() * sectors) * SECTOR_BYTES) }
  }
}

const byPosition = (one: { at: number }, other: { at: number }) => one.at - other.at

/** Applies operations to a copy of the bytes. */
function apply(before: Buffer, operations: readonly LoggedOperation[]): Buffer {
  if (operations.length === 0) return before
  let size = before.length
  for (const { kind, offset, data } of operations) {
    size = Math.max(size, kind === 'truncate' ? offset : offset + data.length)
  }
  const bytes = Buffer.alloc(size)
  before.copy(bytes)
  let length = before.length
  for (const { kind, offset, data } of operations) {
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
