// Takes the place of hints.ts in builds for production, see `imports` in package.json.

export function enableHints(): void {}
export function hint(): void {}
export function unknownOptions(): void {}
export function unknownEvent(): void {}
export function stepMade(): void {}
export function advanced(): void {}
export function presented(): void {}
export function viewsWritten(): void {}
export function handleMade(): void {}
export function objectShown(): void {}
export function carrierSeen(): void {}
export function timeTold(): void {}
export function keyWritten(): void {}
export function poseClamped(): void {}
export function enclosed(): void {}
