/** How a picture is seen: enlarged `scale` times around its centre, and moved by parts of its own width and height. */
export type View = { scale: number; x: number; y: number }

/** The whole picture. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 }

const SCALE_MAX = 8

/** Enlarges or reduces a view, and never below the whole picture. */
export function zoomBy(view: View, factor: number): View {
  const scale = Math.min(SCALE_MAX, Math.max(1, view.scale * factor))
  const ratio = scale / view.scale
  return limit({ scale, x: view.x * ratio, y: view.y * ratio })
}

/** Moves a view by parts of the frame, and never beyond the edge of the picture. */
export function moveBy(view: View, dx: number, dy: number): View {
  return limit({ ...view, x: view.x + dx, y: view.y + dy })
}

/**
 * Enlarges the whole picture so that a point of it comes to the middle.
 *
 * @param x, y The point, in parts of the frame from its centre: -0.5 to 0.5.
 */
export function zoomTo(scale: number, x: number, y: number): View {
  return limit({ scale, x: -x * scale, y: -y * scale })
}

function limit({ scale, x, y }: View): View {
  const most = (scale - 1) / 2
  const within = (value: number) => Math.min(most, Math.max(-most, value)) || 0
  return { scale, x: within(x), y: within(y) }
}
