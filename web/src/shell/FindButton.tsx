import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Suspense } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { loadLater } from '../router/loadLater.ts'

const FindAnything = loadLater(async () => (await import('../find/FindAnything.tsx')).FindAnything)

/** Opens the search, as Ctrl+K and ⌘K do everywhere. */
export function FindButton({ isOperator }: { isOperator: boolean }) {
  const [isOpen, { open, close }] = useDisclosure(false)
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
          <FindAnything isOperator={isOperator} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
