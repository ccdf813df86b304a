import { validationError } from '../../errors.ts'

type Signed = { onChain: object | null; keyProofs?: readonly string[] | null | undefined }

/**
 * Refuses what only a registration that its owner’s key signs can use: it is made for the identifier to which that
 * signature leads, and other registrations draw theirs.
 *
 * @throws ApiError VALIDATION_ERROR.
 */
export function refuseMisplaced({ onChain, keyProofs }: Signed): void {
  const pointers = [...(onChain === null ? [] : ['/onChain']), ...(keyProofs?.length ? ['/keyProofs'] : [])]
  const message = 'belongs to a registration that its owner’s key signs'
  if (pointers.length > 0)
    throw validationError(pointers.map((pointer) => ({ pointer, code: 'not_applicable', message })))
}
