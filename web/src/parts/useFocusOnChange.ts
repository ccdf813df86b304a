import { useEffect, useRef } from 'react'

/** Moves the focus to an element when what it shows changes, so that screen readers and the keyboard continue there. */
export function useFocusOnChange(shown: string | number | boolean | null) {
  const area = useRef<HTMLDivElement>(null)
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return
    last.current = shown
    area.current?.focus()
  }, [shown])
  return area
}
