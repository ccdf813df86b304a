import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

/** How long nothing is typed before it is looked for. */
const PAUSE_MS = 300

/** What is typed into a field, and what of it is looked for by now. */
export function useTypedText() {
  const [text, onType] = useState('')
  const [search] = useDebouncedValue(text, PAUSE_MS)
  return { text, search, isTyping: text !== search, onType }
}
