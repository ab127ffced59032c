/** Physics bodies that a controller steers (see `cannonBody`), so that no ship takes itself, or another ship, for a rock. */
export const steeredBodies = new WeakSet<object>()
