import { useLayoutEffect } from 'react'
import { leaveGuard } from '../../router/leaveGuard.ts'

/** While a form has unsaved changes, asks before its page is left. Another tab of the same page keeps them. */
export function useLeaveGuard(isChanged: boolean): void {
  useLayoutEffect(() => (isChanged ? leaveGuard.hold() : undefined), [isChanged])
}
