export { bird, car, drone, fighter, freighter, type VehicleOptions } from './vehicles/vehicles.js'
