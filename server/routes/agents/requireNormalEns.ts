import { ens_normalize as normaliseEns } from '@adraffy/ens-normalize'
import { namesDeclaration } from '@svc/core/commerce/namesDeclaration.ts'
import { validationError } from '../../errors.ts'

const { ens: ensSchema } = namesDeclaration.shape

/**
 * Requires that a declared ENS name is in its normal form.
 *
 * ENS hashes the normal form, and readers of a registration file compare texts, so any other spelling is another name to
 * them. It is rejected rather than replaced, because the owner has to see the name that will stand there. What is no ENS
 * name by its form is left to the schema of the block, and so are names that are too long.
 *
 * The first call in a process takes about 0.2 s, because it unpacks the tables.
 *
 * @param names The block `names` of a registration or a patch.
 * @throws ApiError VALIDATION_ERROR at `/names/ens`. Source: ENSIP-15.
 */
export function requireNormalEns(names: { readonly ens?: unknown } | null | undefined): void {
  const { data: ens } = ensSchema.safeParse(names?.ens)
  if (ens === undefined) return
  const message = findFault(ens)
  if (message !== null) throw validationError([{ pointer: '/names/ens', code: 'not_normal', message }])
}

function findFault(ens: string): string | null {
  try {
    const normal = normaliseEns(ens)
    return normal === ens ? null : `expected the normal form of this name: ${normal}`
  } catch (error) {
    return `has no normal form: ${describe(error)}`
  }
}

/** The library says what is wrong, such as `Invalid label "a_b": underscore allowed only at start`. */
function describe(error: unknown): string {
  const { message } = error as Error
  return message.charAt(0).toLowerCase() + message.slice(1)
}
