package forms

import (
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"parley/assets/i18n"
)

// leavesOf adds the faults below one that says nothing itself. Of the
// alternatives of a union, the one that the value comes closest to speaks: the
// one whose fault lies deepest in it, if any lies within.
func leavesOf(fault *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch k := fault.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, cause := range fault.Causes {
			leaves = leavesOf(cause, leaves)
		}
		return leaves
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return append(leaves, fault)
		}
		return closest(fault, leaves)
	case *kind.AnyOf:
		return closest(fault, leaves)
	}
	return append(leaves, fault)
}

func closest(union *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	depth := len(union.InstanceLocation)
	var best []*jsonschema.ValidationError
	for _, cause := range union.Causes {
		inner := leavesOf(cause, nil)
		lowest := -1
		for _, leaf := range inner {
			if n := len(leaf.InstanceLocation); lowest < 0 || n < lowest {
				lowest = n
			}
		}
		if lowest > depth {
			depth, best = lowest, inner
		}
	}
	if best == nil {
		return append(leaves, union)
	}
	return append(leaves, best...)
}

// lacking are the keys of which a union needs at least one, where each of its
// alternatives fails for want of one; nil for any other fault.
func lacking(fault *jsonschema.ValidationError) (keys []string) {
	switch fault.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
	default:
		return nil
	}
	for _, cause := range fault.Causes {
		for _, leaf := range leavesOf(cause, nil) {
			missing, ok := leaf.ErrorKind.(*kind.Required)
			if !ok || len(missing.Missing) != 1 || len(leaf.InstanceLocation) != len(fault.InstanceLocation) {
				return nil
			}
			keys = append(keys, missing.Missing[0])
		}
	}
	return keys
}

// finalSentence is what the library found, in words. Nothing of the value is in
// it, which may be a secret; keys are.
func finalSentence(k jsonschema.ErrorKind) i18n.Message {
	switch k := k.(type) {
	case *kind.Type:
		return i18n.M("forms.final.type", "Types", strings.Join(k.Want, ", "))
	case *kind.Enum, *kind.Const:
		return i18n.M("forms.final.enum")
	case *kind.Required:
		return i18n.M("forms.final.required", "Names", names(k.Missing))
	case *kind.DependentRequired:
		return i18n.M("forms.final.together", "Name", excerpt(printable(k.Prop)), "Names", names(k.Missing))
	case *kind.Dependency:
		return i18n.M("forms.final.together", "Name", excerpt(printable(k.Prop)), "Names", names(k.Missing))
	case *kind.AdditionalProperties:
		return i18n.M("forms.final.additional", "Names", names(k.Properties))
	case *kind.PropertyNames:
		return i18n.M("forms.final.key", "Key", excerpt(printable(k.Property)))
	case *kind.MinLength:
		return i18n.N("forms.error.tooShort", k.Want, "Now", k.Got)
	case *kind.MaxLength:
		return i18n.N("forms.error.tooLong", k.Want, "Now", k.Got)
	case *kind.Pattern:
		return i18n.M("forms.error.pattern", "Pattern", excerpt(k.Want))
	case *kind.Format:
		return i18n.M("forms.final.format", "Format", excerpt(k.Want))
	case *kind.Minimum:
		return outOfRange("forms.range.atLeast", k.Want)
	case *kind.Maximum:
		return outOfRange("forms.range.atMost", k.Want)
	case *kind.ExclusiveMinimum:
		return outOfRange("forms.range.moreThan", k.Want)
	case *kind.ExclusiveMaximum:
		return outOfRange("forms.range.lessThan", k.Want)
	case *kind.MultipleOf:
		return i18n.M("forms.error.multipleOf", "Step", digits(k.Want))
	case *kind.MinItems:
		return i18n.N("forms.error.entriesAtLeast", k.Want, "Now", k.Got)
	case *kind.MaxItems:
		return i18n.N("forms.error.entriesAtMost", k.Want, "Now", k.Got)
	case *kind.MinProperties:
		return i18n.N("forms.error.entriesAtLeast", k.Want, "Now", k.Got)
	case *kind.MaxProperties:
		return i18n.N("forms.error.entriesAtMost", k.Want, "Now", k.Got)
	case *kind.Contains, *kind.MinContains:
		return i18n.M("forms.final.contains")
	case *kind.UniqueItems:
		return i18n.M("forms.error.rowTwice", "First", k.Duplicates[0]+1, "Second", k.Duplicates[1]+1)
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return i18n.M("forms.final.twoShapes")
		}
		return i18n.M("forms.final.noShape")
	case *kind.AnyOf:
		return i18n.M("forms.final.noShape")
	case *kind.Not, *kind.FalseSchema:
		return i18n.M("forms.final.forbidden")
	}
	return i18n.M("forms.final.other", "Keyword", excerpt(strings.Join(k.KeywordPath(), "/")))
}

// names are keys in a sentence, the first few of them.
func names(keys []string) string {
	const most = 5
	var shown []string
	for i, key := range keys {
		if i == most {
			shown = append(shown, "…")
			break
		}
		shown = append(shown, excerpt(printable(key)))
	}
	return strings.Join(shown, ", ")
}

func outOfRange(key string, limit *big.Rat) i18n.Message {
	return i18n.M("forms.error.range", "Range", i18n.M(key, "Limit", digits(limit)))
}

// digits is a number of the schema in decimal digits.
func digits(r *big.Rat) string {
	n, exact := r.FloatPrec()
	if !exact {
		return excerpt(r.RatString())
	}
	return excerpt(r.FloatString(n))
}
