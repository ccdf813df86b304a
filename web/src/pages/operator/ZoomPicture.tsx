import { Box, Button, Group } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import classes from './ZoomPicture.module.css'
import { moveBy, type View, WHOLE, zoomBy, zoomTo } from './zoomView.ts'

const STEP = 1.5
const CLICKED_SCALE = 3
const KEY_STEP = 0.1
/** A pointer that moves less has clicked, not dragged. */
const DRAG_MIN_PX = 4

const KEYS: Readonly<Record<string, (view: View) => View>> = {
  '+': (view) => zoomBy(view, STEP),
  '=': (view) => zoomBy(view, STEP),
  '-': (view) => zoomBy(view, 1 / STEP),
  '0': () => WHOLE,
  ArrowLeft: (view) => moveBy(view, KEY_STEP, 0),
  ArrowRight: (view) => moveBy(view, -KEY_STEP, 0),
  ArrowUp: (view) => moveBy(view, 0, KEY_STEP),
  ArrowDown: (view) => moveBy(view, 0, -KEY_STEP),
}

/**
 * A picture that is enlarged where it stands, so that two can be compared: a click enlarges at that point, dragging and the
 * arrow keys move it, plus and minus change the size.
 */
export function ZoomPicture({ address, name }: { address: string; name: string }) {
  const [view, setView] = useState(WHOLE)
  const drag = useRef<{ x: number; y: number; hasMoved: boolean } | null>(null)
  const isEnlarged = view.scale > 1
  const onKeyDown = (event: KeyboardEvent) => {
    const change = KEYS[event.key]
    if (change === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    // The arrow keys scroll the page while there is nothing to move.
    if (event.key.startsWith('Arrow') && !isEnlarged) return
    event.preventDefault()
    setView(change)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY, hasMoved: false }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const from = drag.current
    if (from === null) return
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
    if (!from.hasMoved && Math.hypot(dx, dy) < DRAG_MIN_PX) return
    const { width, height } = event.currentTarget.getBoundingClientRect()
    drag.current = { x: event.clientX, y: event.clientY, hasMoved: true }
    setView((shown) => moveBy(shown, dx / width, dy / height))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const hasClicked = drag.current?.hasMoved === false
    drag.current = null
    if (!hasClicked) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const [x, y] = [(event.clientX - left) / width - 0.5, (event.clientY - top) / height - 0.5]
    setView(isEnlarged ? WHOLE : zoomTo(CLICKED_SCALE, x, y))
  }
  const shown = name.toLowerCase()
  return (
    <>
      <Box
        className={classes.frame}
        role="group"
        aria-label={`${name}: plus and minus enlarge and reduce it, the arrow keys move it`}
        tabIndex={0}
        data-enlarged={isEnlarged}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null
        }}
      >
        <img
          src={address}
          alt={name}
          draggable={false}
          style={{ transform: `translate(${view.x * 100}%, ${view.y * 100}%) scale(${view.scale})` }}
        />
      </Box>
      <Group gap={4} my={6}>
        <ZoomButton label={`Enlarge the ${shown}`} text="+" onClick={() => setView(zoomBy(view, STEP))} />
        <ZoomButton label={`Reduce the ${shown}`} text="−" onClick={() => setView(zoomBy(view, 1 / STEP))} />
        {isEnlarged && (
          <Button size="compact-sm" variant="default" onClick={() => setView(WHOLE)}>
            Whole picture
          </Button>
        )}
      </Group>
    </>
  )
}

function ZoomButton({ label, text, onClick }: { label: string; text: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" aria-label={label} title={label} onClick={onClick}>
      {text}
    </Button>
  )
}
