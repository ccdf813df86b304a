import { useEffect, useRef } from 'react'

/**
 * Moves the focus to an element when what it shows changes, so that screen readers and the keyboard continue there: to its
 * first field with a fault, otherwise to the element itself.
 */
export function useFocusOnChange(shown: string | number | boolean | null) {
  const area = useRef<HTMLDivElement>(null)
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return
    last.current = shown
    const faulty = area.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const place = faulty ?? area.current
    place?.focus()
  }, [shown])
  return area
}
