/** The purpose of a request in the form that policies compare: in lower case, split into its parts. */
export type PurposeName = {
  category: string | undefined
  action: string | undefined
  /** `category.action`, when both are stated. */
  qualifiedAction: string | undefined
}

/** The purpose of a request that states none. */
export const NAMELESS: PurposeName = { category: undefined, action: undefined, qualifiedAction: undefined }
const REMEMBERED_MAX = 1000
/** Caches the few purposes that most requests state, because parsing one costs as much as half a decision. */
const remembered = new Map<string, PurposeName>()

/**
 * Splits a purpose (`category`, `category:action` or `category.action`), whose action is overridden by `action` (`action` or
 * `category.action`).
 *
 * Undefined when the two name different categories, because the intended one must not be guessed. Case is ignored, so that
 * `Delete` cannot bypass a denied `delete`.
 */
export function readPurpose(
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
