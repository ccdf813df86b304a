import type { MouseEvent } from 'react'
import { navigate } from './navigate.ts'

/** Follows a plain click on a link inside the dashboard; new tabs and the like stay the browser's business. */
export function followLink(event: MouseEvent): void {
  const { button, metaKey, ctrlKey, shiftKey, altKey, currentTarget, defaultPrevented } = event
  if (!(currentTarget instanceof HTMLAnchorElement) || defaultPrevented) return
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
  event.preventDefault()
  navigate(currentTarget.pathname + currentTarget.search)
}
