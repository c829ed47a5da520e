package kit

import "math"

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }
