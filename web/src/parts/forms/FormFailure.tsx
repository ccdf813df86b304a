import { useEffect, useRef } from 'react'
import { FailureNote } from '../FailureNote.tsx'
import type { Faults } from './readFaults.ts'

/**
 * Shows the part of a form's failure that no field shows, and moves the focus to the first field that shows something:
 * in the form that it is in, otherwise in the page.
 */
export function FormFailure({ faults: { at, rest } }: { faults: Faults<string> }) {
  const place = useRef<HTMLDivElement>(null)
  const shown = Object.values(at).join('\n')
  useEffect(() => {
    if (shown === '') return
    const form = place.current?.closest('form') ?? document
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [shown])
  return (
    <div ref={place} hidden={!rest}>
      <FailureNote error={rest} />
    </div>
  )
}
