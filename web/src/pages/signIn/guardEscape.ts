import { session } from '../../api/session.ts'

/**
 * Ignores Escape while a session has ended, because it would close the dialogs of the hidden page with what was typed in
 * them.
 *
 * Has to be called before any dialog opens: they listen at the window too, and listeners run in the order of their
 * registration.
 */
export function guardEscape(): void {
  const guard = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || session.read().status !== 'ended') return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', guard, { capture: true })
}
