/** What a request is for, in the one form in which policies compare it: lower case, parts separated. */
export type PurposeName = {
  category: string | undefined
  action: string | undefined
  /** `category.action`, when both are stated. */
  qualifiedAction: string | undefined
}

const NAMELESS: PurposeName = { category: undefined, action: undefined, qualifiedAction: undefined }
const REMEMBERED_MAX = 1000
/** The few purposes that most requests state; taking one apart costs as much as half a decision. */
const remembered = new Map<string, PurposeName>()

/**
 * Takes `category`, `category:action` or `category.action` apart and lets `action` (`action` or `category.action`) override.
 *
 * Answers `undefined` when the two name different categories: which of them is meant must not be guessed. Names are compared without
 * regard to case, because a denied `delete` must not be passed by a `Delete`.
 */
export function purposeName(
  purpose: string | undefined,
  action: string | undefined,
): PurposeName | undefined {
  if (action !== undefined) return readName(purpose, action)
  if (purpose === undefined) return NAMELESS
  const known = remembered.get(purpose)
  if (known !== undefined) return known
  const name = readName(purpose, undefined)
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  if (name !== undefined) remembered.set(purpose, name)
  return name
}

function readName(purpose: string | undefined, action: string | undefined): PurposeName | undefined {
  const stated = purpose === undefined ? nothing : split(purpose.toLowerCase(), true)
  if (action === undefined) return nameOf(stated.head, stated.tail)
  const override = split(action.toLowerCase(), false)
  if (override.head !== undefined && stated.head !== undefined && override.head !== stated.head)
    return undefined
  return nameOf(stated.head ?? override.head, override.tail)
}

type Parts = { head: string | undefined; tail: string | undefined }

const nothing: Parts = { head: undefined, tail: undefined }

function split(text: string, isHeadFirst: boolean): Parts {
  const colon = text.indexOf(':')
  const at = colon >= 0 ? colon : text.indexOf('.')
  if (at < 0) return isHeadFirst ? { head: text, tail: undefined } : { head: undefined, tail: text }
  return { head: text.slice(0, at) || undefined, tail: text.slice(at + 1) || undefined }
}

function nameOf(category: string | undefined, action: string | undefined): PurposeName {
  const qualifiedAction = category !== undefined && action !== undefined ? `${category}.${action}` : undefined
  return { category, action, qualifiedAction }
}
