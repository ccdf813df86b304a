import { useEffect } from 'react'
import { navigate } from './navigate.ts'

/** Shows another page in place of this one, which gets no entry in the browser's history. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
