import type { z } from 'zod'
import type { CommerceProtocol, LimitsPrefill, ListsPrefill } from './commerceProtocol.ts'

type Members<Declaration extends z.ZodObject> = keyof Declaration['shape'] & string

type Definition<Declaration extends z.ZodObject, Confidential extends Members<Declaration>> = {
  declaration: Declaration
  confidential: readonly Confidential[]
  prefillLimits?: (block: Pick<z.output<Declaration>, Confidential>) => LimitsPrefill
  prefillLists?: (block: z.output<Declaration>) => ListsPrefill
}

/**
 * Defines a protocol.
 *
 * `prefillLimits` gets the confidential members only: whatever a limit, its currency or self-instantiation is filled in from
 * is thereby omitted from public views. Members from which lists are filled in are confidential if they are listed.
 */
export function defineProtocol<Declaration extends z.ZodObject, Confidential extends Members<Declaration>>({
  declaration,
  confidential,
  prefillLimits = () => ({}),
  prefillLists = () => ({}),
}: Definition<Declaration, Confidential>): CommerceProtocol<Declaration> {
  return {
    declaration,
    confidential,
    prefill: (block) => {
      const { success, data } = declaration.safeParse(block)
      if (!success) return {}
      const limiting = Object.fromEntries(confidential.map((member) => [member, data[member]]))
      return { ...prefillLists(data), ...prefillLimits(limiting as Parameters<typeof prefillLimits>[0]) }
    },
  }
}
