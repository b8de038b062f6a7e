/** Pixels in rows from the top, each as red, green, blue and opacity, a byte each. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
