import { fdatasyncSync } from 'node:fs'

/** Syncs a file. Returns the code of the error if the disk refuses, which can be sent between threads, and otherwise null. */
export function trySync(descriptor: number): string | null {
  try {
    fdatasyncSync(descriptor)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}
