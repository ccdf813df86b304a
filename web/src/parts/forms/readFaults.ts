import { ApiFailure } from '../../api/apiFailure.ts'
import { describeFault } from '../words/describeFault.ts'

/** A failure of a form: what is wrong with its fields, and the failure itself if it is about something else, too. */
export type Faults<Name extends string> = {
  /** By the names of the service. */
  at: Partial<Record<Name, string>>
  rest: unknown
}

/**
 * Finds the fields that a failure is about, so that each is explained where it is.
 *
 * @param labels The labels of the form, by the names that the service has for its fields.
 * @param codes The fields that a failure with this code is about; the service does not point to them.
 */
export function readFaults<Name extends string>(
  error: unknown,
  labels: Readonly<Record<Name, string>>,
  codes: Readonly<Record<string, NoInfer<Name>>> = {},
): Faults<Name> {
  if (!(error instanceof ApiFailure)) return { at: {}, rest: error }
  const coded = codes[error.code]
  if (coded !== undefined) return { at: { [coded]: error.message } as Faults<Name>['at'], rest: null }
  const at: Faults<Name>['at'] = {}
  const names = Object.keys(labels) as Name[]
  const others = error.errors.filter(({ pointer, message }) => {
    const name = names.find((one) => pointer === `/${one}` || pointer.startsWith(`/${one}/`))
    if (name !== undefined) at[name] ??= describeFault(labels[name], message)
    return name === undefined
  })
  const isExplained = error.errors.length > 0 && others.length === 0
  return { at, rest: isExplained ? null : error }
}
