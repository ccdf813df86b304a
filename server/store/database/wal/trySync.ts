import { fdatasyncSync } from 'node:fs'

/** Syncs a file; returns null, or the code of the error, which can be sent between threads. */
export function trySync(descriptor: number): string | null {
  try {
    fdatasyncSync(descriptor)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}
