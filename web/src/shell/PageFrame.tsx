import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import { Component, type ReactNode, Suspense } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { useReloadOnceReached } from './useReloadOnceReached.ts'

type Props = { children: ReactNode }

/**
 * Frames a page: shows a skeleton while its code loads, and a reload button if it cannot be loaded or crashes.
 *
 * While the service cannot be reached, it waits and then loads the page again by itself.
 *
 * Every build has its own file names, so a tab opened before a deployment may request files that are gone.
 */
export class PageFrame extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render(): ReactNode {
    if (this.state.isBroken) return <Broken />
    return <Suspense fallback={<Outline />}>{this.props.children}</Suspense>
  }
}

function Outline() {
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      <Skeleton height={36} width="40%" mb="md" />
      <Skeleton height={64} />
      <Skeleton height={64} />
    </Stack>
  )
}

function Broken() {
  if (useReloadOnceReached() !== null) {
    return (
      <Alert
        color="orange"
        icon={<Icon name="warning" />}
        title="The service could not be reached"
        role="status"
      >
        This page loads by itself as soon as the service responds.
      </Alert>
    )
  }
  return (
    <Alert color="red" icon={<Icon name="warning" />} title="This page cannot be shown" role="alert">
      <Stack gap="sm" align="flex-start">
        The page could not be loaded or has crashed. A new version of the dashboard may be available.
        <Button size="xs" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Stack>
    </Alert>
  )
}
