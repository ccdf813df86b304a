import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Suspense, useEffect, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { loadLater } from '../router/loadLater.ts'

const FindAnything = loadLater(async () => (await import('../find/FindAnything.tsx')).FindAnything)

/** Opens the search, as Ctrl+K and ⌘K do everywhere. */
export function FindButton({ isOperator }: { isOperator: boolean }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [text, setText] = useTypedAhead(isOpen)
  // Also while a field has the focus.
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        size="sm"
        leftSection={<Icon name="search" size={16} />}
        rightSection={
          <Kbd size="xs" aria-hidden="true">
            Ctrl K
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        Find
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label="Find" onClick={open}>
        <Icon name="search" />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={null}>
          <FindAnything {...{ isOperator, text, setText }} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** The text of the search: whoever types on after Ctrl+K types into it, and not into the page, before its field is there. */
function useTypedAhead(isOpen: boolean): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState('')
  useEffect(() => {
    if (!isOpen) return
    const take = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      const isInDialog = target instanceof Element && target.closest('[role=dialog]') !== null
      if (isInDialog || key.length !== 1 || ctrlKey || metaKey || altKey) return
      event.preventDefault()
      setText((typed) => typed + key)
    }
    window.addEventListener('keydown', take)
    return () => {
      window.removeEventListener('keydown', take)
      setText('')
    }
  }, [isOpen])
  return [text, setText]
}
