/**
 * Handles a failure of the file system: null if the file or folder does not exist, because another process may have deleted
 * it meanwhile.
 *
 * @throws The error itself for any other failure.
 */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
