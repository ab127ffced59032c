export { bird, drone, fighter, freighter, type VehicleOptions } from './vehicles/vehicles.js'
