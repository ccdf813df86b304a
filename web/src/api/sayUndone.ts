import { ApiFailure } from './apiFailure.ts'

/** Runs an undo and describes its outcome. */
export async function sayUndone(undo: () => Promise<'undone' | 'changed'>): Promise<string> {
  try {
    return (await undo()) === 'undone' ? 'Undone' : 'Not undone: it has been changed again since.'
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return `Not undone: ${error.message}`
  }
}
