import type { Access, AccessFailure } from '@svc/core/access/decision.ts'

/** Puts into the failures of a decision where the documentation explains each; a decision without failures is unchanged. */
export type LinkFailures = (access: Access) => Access

/**
 * Creates the function that links failures to their paragraphs of `docs/denials.md`, whose anchors are the dimensions
 * without dots. Each failure is linked once, because a service has as many as there are fixed texts.
 *
 * @param publicUrl Origin of the service, which serves its documentation.
 */
export function createLinkFailures(publicUrl: string): LinkFailures {
  const linked = new Map<AccessFailure, AccessFailure>()

  function link(failure: AccessFailure): AccessFailure {
    const known = linked.get(failure)
    if (known !== undefined) return known
    const anchor = failure.dimension.replaceAll('.', '').toLowerCase()
    const built = { ...failure, docsUrl: `${publicUrl}/docs/denials#${anchor}` }
    linked.set(failure, built)
    return built
  }

  return (access) =>
    access.failures === undefined ? access : { ...access, failures: access.failures.map(link) }
}
