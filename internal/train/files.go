package train

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The files are called train-images-idx3-ubyte, t10k-labels-idx1-ubyte and so on, and may be compressed (.gz).
const (
	forTraining, forTest = "train", "t10k"
	imagesFile           = "-images-idx3-ubyte"
	labelsFile           = "-labels-idx1-ubyte"
)

// ReadData reads a folder with the files of MNIST or Fashion-MNIST, under the names that they are published with.
func ReadData(folder string) (Data, error) {
	if _, err := os.Stat(folder); err != nil {
		return Data{}, err
	}
	if _, err := find(folder, forTraining+imagesFile); err != nil {
		return Data{}, fmt.Errorf("%s: no data set; there must be %s (MNIST, Fashion-MNIST) in this folder", folder,
			forTraining+imagesFile)
	}
	train, err := readMNIST(folder, forTraining)
	if err != nil {
		return Data{}, err
	}
	test, err := readMNIST(folder, forTest)
	if err != nil {
		return Data{}, err
	}
	data, err := newData(filepath.Base(filepath.Clean(folder)), train, test)
	if err != nil {
		return Data{}, fmt.Errorf("%s: %w", folder, err)
	}
	return data, nil
}

// find returns the path of a file or of its compressed form.
func find(folder, name string) (string, error) {
	path := filepath.Join(folder, name)
	info, err := os.Stat(path)
	if err != nil {
		if packed, missing := os.Stat(path + ".gz"); missing == nil {
			path, info, err = path+".gz", packed, nil
		}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	return path, err
}

func readMNIST(folder, part string) (*Images, error) {
	m := &Images{Scale: byteScale}
	err := read(folder, part+imagesFile, func(r io.Reader) (err error) {
		m.Pixels, m.Size, err = readIDXImages(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, read(folder, part+labelsFile, func(r io.Reader) (err error) {
		m.Labels, err = readIDXLabels(r)
		return err
	})
}

// read opens a file, unpacks it where needed, and names it in errors.
func read(folder, name string, use func(io.Reader) error) error {
	path, err := find(folder, name)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := use(in); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
